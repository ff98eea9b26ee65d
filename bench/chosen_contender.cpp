// SPDX-License-Identifier: MIT
#include "bench/chosen_contender.h"

namespace tilewright {
namespace {

class ChosenContender : public Contender {
 public:
  ChosenContender(std::unique_ptr<Contender> rung, Choice choice)
      : Contender(auto_kernel().name), rung_(std::move(rung)), choice_(std::move(choice)) {}

  Json description() const override {
    Json json{{"choice", to_json(choice_)}};
    json.update(rung_->description());
    return json;
  }
  void launch(const Buffers& buffers) override { rung_->launch(buffers); }

 private:
  std::unique_ptr<Contender> rung_;
  Choice choice_;
};

}  // namespace

std::unique_ptr<Contender> chosen_contender(Stand& stand, Shape shape, const ChooseRung& choose) {
  const Refusal refusal = [&](const Rung& rung) { return refusal_of([&] { stand.contender(rung); }); };
  Chosen chosen = choose(shape, refusal);
  return std::make_unique<ChosenContender>(stand.contender(chosen.rung), std::move(chosen.choice));
}

}  // namespace tilewright
