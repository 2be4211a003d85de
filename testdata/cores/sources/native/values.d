// Variables of D: dynamic arrays, strings, classes. It writes down what they hold and aborts.
module values;
import core.stdc.stdlib : abort;
import std.stdio;

enum Color { red, green, blue }
struct Point { double x, y; }

class Session
{
    int id;
    string user;
    Point[] points;

    void use(int k, const(char)[] text)
    {
        int[] ints = [1, 2, 3];
        string word = "hello";
        wstring wide = "wide"w;
        dstring wider = "wider"d;
        ubyte[] bytes = [1, 2, 255];
        int[3] fixed = [7, 8, 9];
        int[][] rows = [[1], [2, 3]];
        string[] words = ["a", "bc"];
        Point[] list = points;
        int[] part = ints[1 .. 3];
        int[] none;
        Color color = Color.blue;
        char letter = 'q';
        bool yes = true;
        double half = 0.5;
        long large = 9_007_199_254_740_993;
        ulong larger = ulong.max;
        byte tiny = -7;
        ushort port = 65535;
        say("k", `3`);
        say("text", `"some text"`);
        say("ints", `[1,2,3]`);
        say("word", `"hello"`);
        say("wide", `"wide"`);
        say("wider", `"wider"`);
        say("bytes", `[1,2,255]`);
        say("fixed", `[7,8,9]`);
        say("rows", `[[1],[2,3]]`);
        say("words", `["a","bc"]`);
        say("list", `[{"x":1,"y":2},{"x":3,"y":4}]`);
        say("part", `[2,3]`);
        say("none", `[]`);
        say("color", `"blue"`);
        say("letter", `113`);
        say("yes", `true`);
        say("half", `0.5`);
        say("large", `9007199254740993`);
        say("larger", `18446744073709551615`);
        say("tiny", `-7`);
        say("port", `65535`);
        stdout.flush();
        if (yes)
            abort();
        writeln(ints, word, wide, wider, bytes, fixed, rows, words, list, part, none, color, letter, half, large, larger, tiny, port, text, id, user);
    }
}

void say(string name, string value) { writeln("values.Session.use\t", name, "\t", value); }

void main()
{
    auto s = new Session;
    s.id = 42;
    s.user = "bob";
    s.points = [Point(1, 2), Point(3, 4)];
    s.use(3, "some text");
}
