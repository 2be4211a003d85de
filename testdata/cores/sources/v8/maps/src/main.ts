import { Stock, count } from "./stock";

async function audit(stock: Stock): Promise<number> {
  await null;
  return stock.weigh((pieces) => count(pieces % 4));
}

class Office {
  constructor(private readonly stock: Stock) {
    void this.open();
  }

  private async open(): Promise<string> {
    const sum = await audit(this.stock);
    return `counted ${sum}`;
  }
}

export const office = new Office(Stock.of({ name: "tea", pieces: 3 }, { name: "cup", pieces: 2, boxes: 2 }));
