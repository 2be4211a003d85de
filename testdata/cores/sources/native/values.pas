{ Variables of Pascal: sets, strings with lengths, arrays over ranges and enumerations. It writes
  down what they hold and kills itself. }
program values;
{$mode objfpc}{$H+}
uses BaseUnix;
type
  TColor = (Red, Green, Blue);
  TInts = array of LongInt;
  TColors = set of TColor;
  TDigits = set of 0..9;
  TPoint = record x, y: Double; end;
  TShape = record
    name: string[7];
    points: array[0..1] of TPoint;
  end;

procedure say(const name, value: string);
begin
  writeln('Ship', #9, name, #9, value);
end;

procedure Ship(n: LongInt; const s: string);
var
  fixed: array[1..3] of Word;
  m: array[1..2, 0..2] of SmallInt;
  byColor: array[TColor] of Byte;
  letters: array[1..4] of Char;
  dynamic, empty: TInts;
  p: TPoint;
  sh: TShape;
  c: TColor;
  b: Boolean;
  colors, noColors: TColors;
  digits: TDigits;
  short: string[10];
  ansi: AnsiString;
  q: QWord;
  i64: Int64;
  f: Single;
  i: LongInt;
begin
  fixed[1] := 10; fixed[2] := 20; fixed[3] := 30;
  for i := 0 to 2 do begin m[1, i] := i + 1; m[2, i] := i + 4; end;
  byColor[Red] := 1; byColor[Green] := 2; byColor[Blue] := 3;
  letters := 'abcd';
  SetLength(dynamic, 3); dynamic[0] := 7; dynamic[1] := 8; dynamic[2] := 9;
  SetLength(empty, 0);
  p.x := 1.5; p.y := -2.5;
  sh.name := 'abc'; sh.points[0] := p; sh.points[1].x := 3; sh.points[1].y := 4;
  c := Green; b := true; colors := [Red, Blue]; noColors := []; digits := [0, 3, 9];
  short := 'short'; ansi := 'ansi ' + s; q := 12345678901234567890; i64 := -9007199254740993; f := 0.25; i := n;
  say('n', '3');
  say('s', '"hello"');
  say('fixed', '[10,20,30]');
  say('m', '[[1,2,3],[4,5,6]]');
  say('byColor', '[1,2,3]');
  say('letters', '"abcd"');
  say('dynamic', '[7,8,9]');
  say('p', '{"x":1.5,"y":-2.5}');
  say('sh', '{"name":"abc","points":[{"x":1.5,"y":-2.5},{"x":3,"y":4}]}');
  say('c', '"Green"');
  say('b', 'true');
  say('colors', '["Red","Blue"]');
  say('noColors', '[]');
  say('digits', '[0,3,9]');
  say('short', '"short"');
  say('ansi', '"ansi hello"');
  say('q', '12345678901234567890');
  say('i64', '-9007199254740993');
  say('f', '0.25');
  say('i', '3');
  flush(output);
  if b then fpkill(fpgetpid, SIGABRT);
  writeln(fixed[1], m[1, 1], byColor[Red], letters, dynamic[0], length(empty), p.x, sh.name, ord(c), short, ansi, q, i64, f, i);
end;

begin
  Ship(3, 'hello');
end.
