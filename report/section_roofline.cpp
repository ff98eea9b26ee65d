// SPDX-License-Identifier: MIT
//
// Measured points below measured ceilings.
#include <algorithm>

#include "bench/possible.h"
#include "report/blocks.h"
#include "report/sections.h"
#include "report/standing.h"

namespace tilewright {
namespace {

struct Roofs {
  double fma_tflops = 0, read_gbps = 0, copy_gbps = 0;
  double gbps() const { return std::max(read_gbps, copy_gbps); }
};

// The highest that any run of the set measured.
Roofs roofs_of(const Evidence& evidence) {
  Roofs roofs;
  for (const RunHead& run : evidence.runs) {
    if (run.command != "bench") continue;
    const Json& ceilings = run.record.at("ceilings");
    roofs.fma_tflops = std::max(roofs.fma_tflops, ceilings.at("fma_tflops").get<double>());
    roofs.read_gbps = std::max(roofs.read_gbps, ceilings.at("read_gbps").get<double>());
    roofs.copy_gbps = std::max(roofs.copy_gbps, ceilings.at("copy_gbps").get<double>());
  }
  return roofs;
}

struct Point {
  std::string label, group;
  Shape shape;
  double microseconds;
};

std::vector<Point> points_of(const ReportView& view) {
  std::vector<Point> points;
  const BenchRecords& records = view.main().benched;
  for (const Shape& shape : all_shapes(view.inputs.declared)) {
    const BenchedCell* cell = records.find(library_kernel, shape, ladder_cache);
    if (!cell || !cell->microseconds) continue;
    points.push_back(
        {std::string(library_kernel) + " " + to_string(shape), library_kernel, shape, *cell->microseconds});
    if (cell->cublas)
      points.push_back({"cuBLAS " + to_string(shape), "cuBLAS", shape, cell->cublas_microseconds});
  }
  const std::optional<Shape> square = view.ladder_shape();
  for (const std::string& kernel : view.kernels()) {
    if (kernel == library_kernel) continue;
    for (const BenchedCell* cell : records.cells()) {
      const bool shown = view.is_rung(kernel) ? square && cell->shape == *square : true;
      if (cell->kernel == kernel && shown && cell->microseconds &&
          records.find(kernel, cell->shape, ladder_cache) == cell)
        points.push_back({kernel + " " + to_string(cell->shape), "rungs", cell->shape, *cell->microseconds});
    }
  }
  return points;
}

}  // namespace

Section roofline_section(const ReportView& view) {
  Section section{
      "roofline",
      "The roofline, measured",
      "Intensity is useful FLOP over each operand moved once. Both roofs were measured by the same runs: "
      "multiply-adds alone, and reading or copying large buffers.",
      {}};
  const std::vector<Point> points = points_of(view);
  const Roofs roofs = roofs_of(view.main());
  if (points.empty() || !(roofs.fma_tflops > 0 && roofs.gbps() > 0)) return section;
  Json drawn = Json::array();
  TableBlock table("roofline", "The points of the roofline");
  table.text("point").number("intensity", "FLOP/byte", 2).number("roof there", "TFLOP/s", 2);
  table.number("measured", "TFLOP/s", 2).number("of the roof", "%", 1).text("remark");
  for (const Point& point : points) {
    const double rate = tflops(point.shape, point.microseconds);
    const double intensity = 1e3 * rate / compulsory_gbps(point.shape, point.microseconds);
    const double roof = std::min(roofs.fma_tflops, intensity * roofs.gbps() / 1e3);
    const bool impossible = rate > roofs.fma_tflops;
    drawn.push_back({{"label", point.label},
                     {"group", point.group},
                     {"intensity", intensity},
                     {"tflops", rate},
                     {"above", impossible}});
    const char* remark = impossible    ? "impossible: above the FMA ceiling"
                         : rate > roof ? "above the memory roof: the caches held its operands"
                                       : "";
    table.row({point.label, intensity, roof, rate, 100 * rate / roof, remark});
  }
  const bool reading = roofs.read_gbps >= roofs.copy_gbps;
  section.blocks.push_back(
      {{"kind", "roofline"},
       {"name", "roofline"},
       {"caption", "Measured rates below measured ceilings, caches warm."},
       {"compute", {{"label", "FMA ceiling, measured"}, {"tflops", roofs.fma_tflops}}},
       {"memory", {{"label", reading ? "reading, measured" : "copying, measured"}, {"gbps", roofs.gbps()}}},
       {"points", drawn}});
  section.blocks.push_back(table.json());
  return section;
}

}  // namespace tilewright
