// shop.ts: TypeScript that Deno compiles. What is a type here is gone in what runs, so that
// no place of it is the same as here. It says its stack, which Deno gives by the source map,
// and where it waits, and runs for ever in its innermost function, to be killed there.
interface Item {
  id: number;
  name: string;
}

enum Color {
  Red = 1,
  Green,
}

type Maybe<T> = T | undefined;

abstract class Store<T extends Item> {
  protected readonly items: Map<number, T> = new Map();
  abstract find(id: number): Maybe<T>;
}

function counted(
  method: (this: Shop<Item>, id: number) => Maybe<Item>,
  _: ClassMethodDecoratorContext,
) {
  return function (this: Shop<Item>, id: number): Maybe<Item> {
    this.asked++;
    return method.call(this, id);
  };
}

class Shop<T extends Item> extends Store<T> {
  asked = 0;
  constructor(public readonly title: string, private color: Color) { super(); }

  add(item: T): this {
    this.items.set(item.id, item);
    return this;
  }

  async total(): Promise<number> {
    await forever(); // AWAIT
    return this.items.size;
  }

  // deno-lint-ignore no-explicit-any
  @(counted as any)
  find(id: number): Maybe<T> {
    return deep<T>(() => this.items.get(id));
  }
}

function deep<
  T,
>(f: () => Maybe<T>): Maybe<T> {
  interface Unused {
    a: string;
  }
  return f() ?? spin<Unused>("nothing");
}

function forever(): Promise<void> {
  return new Promise<void>((_resolve: () => void) => {});
}

function spin<T>(what: string): never {
  const trace = new Error("here").stack!.split("\n").slice(1);
  const own = import.meta.url;
  const text = Deno.readTextFileSync(new URL(own)).split("\n");
  const line = text.findIndex((l: string) => l.includes("// AWAIT") && !l.includes("text")) + 1;
  const awaits = `Shop.total (${own}:${line}:${text[line - 1].indexOf("await") + 1})`;
  Deno.writeTextFileSync("said.json", JSON.stringify({ trace, awaits }));
  for (let n: number = 0;; n++) what = ((n & 1) as unknown as T) ? "a" : "b";
}

const shop: Shop<Item> = new Shop<Item>("corner", Color.Green);
shop.add({ id: 1, name: "a" });
shop.total().then((n: number): void => console.log(n));
setTimeout((): void => {
  for (let turn = 0; turn < 3; turn++) shop.find(1 + turn);
}, 10);
