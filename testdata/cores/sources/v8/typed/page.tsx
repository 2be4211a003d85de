/** @jsx h */ // elements by a factory of its own
import * as fs from "node:fs";
import process from "node:process";
type Props = { name: string; children?: any };
function h(tag: any, props: Props | null, ...kids: any[]): any {
  return typeof tag === "function" ? tag({ ...(props ?? {}), children: kids }) : { tag, props, kids };
}
const Leaf = ({ name }: Props): any => {
  if (name === "stop")
    die<string>(name);
  return <b name={name}>leaf</b>;
};
class Tree {
  constructor(
    private readonly depth: number,
  ) {}
  render(): any {
    return (
      <div name="tree">
        <span name="x">{this.depth}</span>
        {[0, 1].map((n: number) => (
          n < this.depth
            ? <Leaf name="go" />
            : <Leaf name={"stop" as string} />
        ))}
      </div>
    );
  }
}
function die<T>(x: T): never {
  (Error as any).stackTraceLimit = 50;
  fs.writeFileSync("said.json", JSON.stringify({ trace: new Error("x").stack!.split("\n").slice(1) }) + "\n");
  if ("Deno" in globalThis) for (;;) x = x as T;
  process.abort();
}
setTimeout((): void => {
  const t: Tree = new Tree(1);
  t.render();
}, 1);
