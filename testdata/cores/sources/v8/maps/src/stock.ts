// What a warehouse counts. The last call of count leads to end, which writes down the
// stack and dies.
export interface Item { name: string; pieces: number; boxes?: number }

declare const end: () => never;

export class Stock {
  private readonly items: Item[] = [];

  static of(...items: Item[]): Stock {
    const stock = new Stock();
    for (const item of items) stock.items.push(item);
    return stock;
  }

  weigh(by: (pieces: number) => number): number {
    let pieces = 0;
    for (const { pieces: one, boxes = 1 } of this.items) {
      pieces += one * boxes;
    }
    /* “ü𝄞”, of which columns count three code units more than characters */ return by(pieces);
  }
}

type Count = (depth: number) => number;

export const count: Count = (depth) => {
  if (depth > 0) {
    return count(depth - 1) + 1;
  }
  return settle([depth]);
};

function settle(depths: number[]): number {
  return depths.map((depth) => depth + close(depth))[0];
}

function close(code: number): number {
  if (code > 9) return code;
  return end();
}
