// SPDX-License-Identifier: MIT
//
// The walk through a product: one step is one phase of one block, blocks in their order, all blocks of a split before
// those of the next. What has been counted after any number of steps is known at once, from running sums over tiles:
// the counts of a tile are proportional to the k that it has behind it.
import {
  orderPlaces,
  phaseOf,
  splitK,
  tilesOver,
  type BlockOrder,
  type BlockShape,
  type Phase,
  type Product,
  type SplitK,
  type TilePlace,
} from '../../model';

export interface Counters {
  globalReads: number;
  naiveReads: number; // of a kernel without tiles, for the same multiply-adds
  sharedReads: number;
  paddedSharedReads: number;
  sharedWrites: number;
  multiplyAdds: number;
  stores: number; // of C, or of partial results
}

export interface Place {
  tile: TilePlace;
  index: number; // of the tile in the order
  split: number;
  phase: number; // of all phases of the tile
  phaseOfSplit: number;
  phasesOfSplit: number;
}

// For each tile in turn, the sum over those before it of what one k costs.
interface RunningSums {
  inputs: Float64Array;
  outputs: Float64Array;
  operands: Float64Array;
}

export interface WalkShape extends Product, BlockShape {
  splits: number;
  order: string;
  group: number;
}

export class Walk {
  readonly rows: number;
  readonly columns: number;
  readonly phases: number;
  readonly places: TilePlace[];
  readonly split: SplitK;
  readonly steps: number;
  private sums: RunningSums;
  private indexOf: Int32Array; // of a tile, in the order

  constructor(readonly shape: WalkShape) {
    this.rows = tilesOver(shape.M, shape.BM);
    this.columns = tilesOver(shape.N, shape.BN);
    this.phases = tilesOver(shape.K, shape.BK);
    this.places = orderPlaces(shape.order as BlockOrder, this.rows, this.columns, shape.group);
    this.split = splitK(shape, shape, shape.BK, shape.splits);
    this.steps = this.places.length * this.phases;
    this.indexOf = new Int32Array(this.places.length);
    this.places.forEach(({ row, column }, index) => (this.indexOf[row * this.columns + column] = index));
    this.sums = this.addUp();
  }

  private addUp(): RunningSums {
    const length = this.places.length + 1;
    const [inputs, outputs, operands] = [0, 1, 2].map(() => new Float64Array(length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    this.places.forEach(({ row, column }, index) => {
      const one = phaseOf({ ...this.shape, K: 1 }, this.shape, row, column, 0);
      inputs[index + 1] = inputs[index]! + one.loadedA + one.loadedB;
      outputs[index + 1] = outputs[index]! + one.multiplyAdds;
      operands[index + 1] = operands[index]! + one.sharedReads;
    });
    return { inputs, outputs, operands };
  }

  private phasesOfSplit(split: number): number {
    return Math.min(this.split.stepsPerSplit, this.phases - split * this.split.stepsPerSplit);
  }

  // Where step 0, 1, … takes place.
  placeOf(step: number): Place {
    const perSplit = this.places.length * this.split.stepsPerSplit;
    const split = Math.floor(step / perSplit);
    const phasesOfSplit = this.phasesOfSplit(split);
    const index = Math.floor((step - split * perSplit) / phasesOfSplit);
    const phaseOfSplit = (step - split * perSplit) % phasesOfSplit;
    return {
      tile: this.places[index]!,
      index,
      split,
      phase: split * this.split.stepsPerSplit + phaseOfSplit,
      phaseOfSplit,
      phasesOfSplit,
    };
  }

  // The step that is the first of a tile, in the split given.
  firstStepOf(row: number, column: number, split: number): number {
    const index = this.indexOf[row * this.columns + column]!;
    return split * this.places.length * this.split.stepsPerSplit + index * this.phasesOfSplit(split);
  }

  phaseAt({ tile, phase }: Place): Phase {
    return phaseOf(this.shape, this.shape, tile.row, tile.column, phase);
  }

  // What the first `done` steps count.
  countersAfter(done: number): Counters {
    const tiles = this.places.length;
    const { BM, BN, BK, K } = this.shape;
    const end = done === this.steps;
    const at = end ? undefined : this.placeOf(done);
    const split = at?.split ?? this.split.splits;
    const beforeSplit = Math.min(K, split * this.split.stepsPerSplit * BK);
    const kOfSplit = at ? Math.min(K - beforeSplit, at.phasesOfSplit * BK) : 0;
    const kOfTile = at ? Math.min(K, at.phase * BK) - beforeSplit : 0;
    const total = (sums: Float64Array) => {
      const whole = beforeSplit * sums[tiles]!;
      if (!at) return whole;
      return whole + kOfSplit * sums[at.index]! + kOfTile * (sums[at.index + 1]! - sums[at.index]!);
    };
    const multiplyAdds = total(this.sums.outputs);
    const whole = phaseOf(this.shape, this.shape, 0, 0, 0);
    return {
      globalReads: total(this.sums.inputs),
      naiveReads: 2 * multiplyAdds,
      sharedReads: total(this.sums.operands),
      paddedSharedReads: done * whole.paddedSharedReads,
      sharedWrites: done * BK * (BM + BN),
      multiplyAdds,
      stores: split * this.sums.outputs[tiles]! + (at ? this.sums.outputs[at.index]! : 0),
    };
  }
}
