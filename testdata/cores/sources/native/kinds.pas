{ Values of all shapes of Pascal. kinds-pas.values says what each holds. It kills itself. }
program kinds;
{$mode objfpc}{$H+}{$modeswitch advancedrecords}
uses BaseUnix, SysUtils, Classes;
type
  TDay = (Mon, Tue, Wed, Thu, Fri);
  TSparse = (Low1 = 2, Mid5 = 5, High9 = 9);
  TWork = Tue..Thu;
  TSmall = -3..12;
  TDays = set of TDay;
  TCharSet = set of Char;
  TBytes8 = set of 0..255;
  TStr5 = string[5];
  TPair = packed record a: Byte; b: LongInt; c: Word; end;
  TBits = bitpacked record f1: 0..3; f2: 0..15; f3: Boolean; f4: 0..1; end;
  TBitArr = bitpacked array[0..9] of Boolean;
  TKind = (kInt, kReal, kText);
  TVar = record
    name: string[3];
    case kind: TKind of
      kInt: (i: LongInt);
      kReal: (r: Double);
      kText: (t: array[0..3] of Char);
  end;
  PNode = ^TNode;
  TNode = record value: LongInt; next: PNode; end;
  TMatrix = array[1..2, 0..1] of Double;
  TGrid = array of array of SmallInt;
  TNames = array of string;
  TFn = function(x: LongInt): LongInt;
  TMeth = procedure(x: LongInt) of object;
  TPoint = object
    x, y: LongInt;
    procedure Move(dx: LongInt);
    function Sum: LongInt; virtual;
    constructor Init;
  end;
  IShape = interface
    ['{00000000-0000-0000-0000-000000000001}']
    function Area: Double;
  end;
  TBase = class
    FId: LongInt;
    FName: string;
    class var Total: LongInt;
    function Describe: string; virtual;
  end;
  TCircle = class(TInterfacedObject, IShape)
    FRadius: Double;
    FTags: TNames;
    function Area: Double;
  end;
  TChild = class(TBase)
  private
    FSize: Currency;
    FDays: TDays;
  public
    FPeer: TBase;
    function Describe: string; override;
    procedure Work(count: LongInt);
    property Size: Currency read FSize;
  end;
  generic TBox<T> = class
    Item: T;
  end;
  TIntBox = specialize TBox<LongInt>;
  TRec = record
    inner: TPair;
    list: array[0..1] of TStr5;
    days: TDays;
    dyn: array of Byte;
  end;

var
  GCount: LongInt = 5;
  GText: string = 'global text';
  GArr: array[TDay] of Word = (1, 2, 3, 4, 5);
  GSet: TDays = [Mon, Fri];
  GConst: record x: Single; s: string[4]; end = (x: 1.5; s: 'rec');
threadvar
  TV: LongInt;

procedure say(const func, name, value: string);
begin
  writeln(func, #9, name, #9, value);
end;

procedure TPoint.Move(dx: LongInt); begin x := x + dx; end;
function TPoint.Sum: LongInt; begin Sum := x + y; end;
constructor TPoint.Init; begin x := 3; y := 4; end;
function TBase.Describe: string; begin Result := FName; end;
function TCircle.Area: Double; begin Result := FRadius; end;
function TChild.Describe: string; begin Result := FName + '!'; end;
procedure TChild.Work(count: LongInt);
begin
  FId := FId + count;
end;
function Twice(x: LongInt): LongInt; begin Twice := 2 * x; end;

procedure Survey(const open: array of LongInt; var byRef: LongInt; out res: Double; const rec: TRec; const s: string; sh: TStr5; v: TVar;
  const strs: array of string; const short: ShortString; cs: TCharSet);
var
  d: TDay;
  sp: TSparse;
  w: TWork;
  sm: TSmall;
  days: TDays;
  letters: TCharSet;
  numbers: TBytes8;
  pair: TPair;
  bits: TBits;
  barr: TBitArr;
  v2, v3: TVar;
  head: PNode;
  nilNode: PNode;
  m: TMatrix;
  grid: TGrid;
  names: TNames;
  none: TNames;
  fn: TFn;
  p: TPoint;
  pp: ^TPoint;
  obj: TChild;
  base: TBase;
  shape: IShape;
  circle: TCircle;
  nobody: TBase;
  box: TIntBox;
  u: UnicodeString;
  wd: WideString;
  utf: UTF8String;
  pc: PChar;
  emptyStr: string;
  cur: Currency;
  ext: Extended;
  si: ShortInt;
  by: Byte;
  wo: Word;
  car: Cardinal;
  bo8: ByteBool;
  lb: LongBool;
  ch: Char;
  wc: WideChar;
  cmp: Comp;
  dt: TDateTime;
  pt: Pointer;
  pl: ^LongInt;
  arr3: array[0..1, 1..2, 5..6] of Byte;
  recs: array[0..1] of TNode;
  vari: Variant;
  i: LongInt;

  procedure Nested(k: LongInt);
  var
    own: LongInt;
    tmp: string;
  begin
    own := k + i + GCount;
    tmp := s + '?';

    writeln(own, tmp);
    flush(output);
    if own > 0 then fpkill(fpgetpid, SIGABRT);
    writeln(own);
  end;
begin
  d := Wed; sp := Mid5; w := Thu; sm := -2; days := [Tue..Thu]; letters := ['a'..'c', 'z']; numbers := [0, 7, 200, 255];
  pair.a := 1; pair.b := -2; pair.c := 3;
  bits.f1 := 2; bits.f2 := 11; bits.f3 := true; bits.f4 := 1;
  fillchar(barr, sizeof(barr), 0); barr[0] := true; barr[3] := true; barr[9] := true;
  v2.name := 'two'; v2.kind := kReal; v2.r := 2.5;
  v3.name := 'thr'; v3.kind := kText; v3.t := 'text';
  new(head); head^.value := 1; new(head^.next); head^.next^.value := 2; head^.next^.next := nil; nilNode := nil;
  m[1, 0] := 1; m[1, 1] := 2; m[2, 0] := 3; m[2, 1] := 4;
  setlength(grid, 2, 2); grid[0][0] := 1; grid[0][1] := 2; grid[1][0] := 3; grid[1][1] := 4;
  setlength(names, 2); names[0] := 'ann'; names[1] := 'bob'; none := nil;
  fn := @Twice; p.Init; pp := @p;
  obj := TChild.Create; obj.FId := 7; obj.FName := 'child'; obj.FSize := 12.5; obj.FDays := [Mon]; obj.FPeer := nil;
  base := obj; TBase.Total := 99;
  circle := TCircle.Create; circle.FRadius := 1.25; circle.FTags := names; shape := circle; nobody := nil;
  box := TIntBox.Create; box.Item := 44;
  u := 'unicode'; wd := 'wide'; utf := 'utf8'; pc := 'pchar'; emptyStr := '';
  cur := 3.14; ext := 2.75; si := -100; by := 250; wo := 65000; car := 4000000000; bo8 := true; lb := false; ch := 'Q'; wc := 'W'; cmp := 5; dt := 1.5;
  pt := @i; i := 10; pl := @i;
  fillchar(arr3, sizeof(arr3), 0); arr3[0, 1, 5] := 1; arr3[1, 2, 6] := 8;
  recs[0] := head^; recs[1].value := 9; recs[1].next := nil;
  vari := 5;
  res := 0.5; byRef := byRef + 1; TV := 6;
  obj.Work(1);
  Nested(2);
  writeln(d, sp, w, sm, pair.a, bits.f1, barr[0], v.name, v2.name, v3.name, head^.value, m[1, 0], grid[0][0], names[0], fn(1), p.Sum, pp^.x,
    obj.Describe, base.FId, shape.Area, box.Item, u, wd, utf, pc, emptyStr, cur, ext, si, by, wo, car, bo8, lb, ch, wc, cmp, dt, pl^, arr3[0, 1, 5], recs[0].value, open[0], rec.inner.a, s, sh, strs[0], short,
    'a' in letters, 7 in numbers, 'x' in cs, nilNode = nil, length(none), nobody = nil, i, vari = 5, pt = nil);
end;

var
  x: LongInt = 20;
  f: Double;
  r: TRec;
  v: TVar;
begin
  r.inner.a := 4; r.inner.b := 5; r.inner.c := 6; r.list[0] := 'one'; r.list[1] := 'three'; r.days := [Fri]; setlength(r.dyn, 2); r.dyn[0] := 8; r.dyn[1] := 9;
  v.name := 'var'; v.kind := kInt; v.i := -5;
  Survey([11, 12, 13], x, f, r, 'argument', 'short', v, ['x', 'yy'], 'a short string', ['p', 'q']);
end.
