--  Values of all shapes of Ada. kinds-adb.values says what each holds. It raises SIGQUIT.
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Finalization;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
with Ada.Containers.Vectors;
with Interfaces; use Interfaces;
with Interfaces.C;
procedure Kinds is
   package Zoo is
      type Animal is tagged record
         Legs : Natural := 4;
         Name : String (1 .. 4) := "none";
      end record;
      procedure Speak (A : Animal);
      type Dog is new Animal with record
         Loud : Boolean := True;
         Bark : Float := 1.5;
      end record;
      type Puppy is new Dog with record
         Age : Short_Integer := 2;
      end record;
      type Walker is interface;
      type Robot is new Animal and Walker with record
         Serial : Long_Integer := 123_456;
      end record;
      type Guard is new Ada.Finalization.Controlled with record
         Count : Integer := 11;
      end record;
      type Secret is private;
      Hidden : constant Secret;
   private
      type Secret is record
         Key : Integer;
      end record;
      Hidden : constant Secret := (Key => 1234);
   end Zoo;
   package body Zoo is
      procedure Speak (A : Animal) is
      begin
         Put_Line (A.Name);
      end Speak;
   end Zoo;
   use Zoo;
   package Int_Vectors is new Ada.Containers.Vectors (Positive, Integer);

   type Weekday is (Mon, Tue, Wed, Thu, Fri);
   for Weekday use (Mon => 1, Tue => 2, Wed => 4, Thu => 8, Fri => 16);
   type Suit is ('H', 'S', Joker);
   subtype Midweek is Weekday range Tue .. Thu;
   type Nibble is mod 16;
   type Mod_10 is mod 10;
   type Word is mod 2 ** 64;
   type Nibbles is array (0 .. 3) of Nibble with Pack;
   type Tri is array (1 .. 3) of Suit with Pack;
   type Biased is range 100 .. 107;
   for Biased'Size use 3;
   type Biased_Rec is record
      A : Biased;
      B : Nibble;
      C : Boolean;
   end record;
   for Biased_Rec use record
      A at 0 range 0 .. 2;
      B at 0 range 3 .. 6;
      C at 0 range 7 .. 7;
   end record;
   type Deci is delta 0.1 digits 15;
   type Fix is delta 0.01 range -10.0 .. 10.0;
   type Third is delta 1.0 / 3.0 range 0.0 .. 30.0;
   for Third'Small use 1.0 / 3.0;
   type Span is delta 10.0 range 0.0 .. 100_000.0;
   type Flt is digits 6;
   type Grid is array (Positive range <>, Positive range <>) of Short_Integer;
   type Rows is array (1 .. 2) of String (1 .. 3);
   type Text_Ref is access String;
   type Counts is array (Weekday range <>) of Integer;
   type Chars is array (Character range 'a' .. 'c') of Integer;
   subtype Small_Size is Natural range 0 .. 12;
   type Buffer (Size : Small_Size := 3; Fill : Boolean := False) is record
      Used : Natural := 0;
      Data : String (1 .. Size) := (others => 'x');
      case Fill is
         when True =>
            Pad : Integer := 9;
         when False =>
            null;
      end case;
   end record;
   type Shape_Kind is (Dot, Line, Poly, Blob);
   type Shape (K : Shape_Kind := Dot) is record
      case K is
         when Dot => X, Y : Integer;
         when Line | Poly =>
            Len : Float;
            Closed : Boolean;
         when others => Bytes : Interfaces.Unsigned_32;
      end case;
   end record;
   type Shape_List is array (1 .. 3) of Shape;
   type Nested (L, H : Integer) is record
      Inner : Grid (1 .. 2, 1 .. 3);
      Part  : Buffer (Size => 2, Fill => False);
      Many  : Counts (Mon .. Wed);
      Tail  : String (L .. H);
   end record;
   type Proc_Ref is access procedure (A : Animal);
   type Animal_Ref is access all Animal'Class;
   type Pair is record
      Left, Right : Animal_Ref;
   end record;
   type Int_Ref is access all Integer;
   type Un is record
      I : Integer;
   end record;
   type Union_Like (Which : Boolean := False) is record
      case Which is
         when False => I : Integer;
         when True => F : Float;
      end case;
   end record with Unchecked_Union;
   type Any_Str is array (Integer range <>) of Character;
   type Bit_Matrix is array (1 .. 2, 1 .. 4) of Boolean with Pack;

   function Raise_Signal (Number : Integer) return Integer with Import, Convention => C, External_Name => "raise";

   Global_Count : Integer := 5;

   procedure Show (An : Animal'Class; Open : String; G : Grid; N : Nested; Cs : Counts; B : in out Buffer; Size : Integer) is
      Day    : Weekday := Thu;
      Mid    : Midweek := Wed;
      S1     : Suit := 'S';
      S2     : Suit := Joker;
      Nib    : Nibble := 13;
      M10    : Mod_10 := 7;
      W      : Word := Word'Last;
      Nibs   : Nibbles := (1, 2, 3, 15);
      T      : Tri := ('H', Joker, 'S');
      Bi     : Biased := 103;
      Br     : Biased_Rec := (A => 105, B => 9, C => True);
      De     : Deci := -12_345.6;
      Fx     : Fix := 3.14;
      Th     : Third := Third'Small * 7;
      Sp     : Span := 1_000.0;
      Fl     : Flt := 2.5;
      Dbl    : Long_Float := -0.125;
      Ldbl   : Long_Long_Float := 6.75;
      Rs     : Rows := ("abc", "def");
      Tr     : Text_Ref := new String'("heap text");
      Tn     : Text_Ref;
      Ch     : Chars := (10, 20, 30);
      Sh     : Shape_List := ((Dot, 1, 2), (Poly, 2.5, True), (Blob, 77));
      D      : Dog;
      P      : Puppy;
      R      : Robot;
      Gd     : Guard;
      Sec    : Secret := Hidden;
      Vec    : Int_Vectors.Vector;
      Us     : Unbounded_String := To_Unbounded_String ("unbounded");
      Who    : Pair := (Left => new Dog, Right => null);
      Num    : aliased Integer := 321;
      Ir     : Int_Ref := Num'Unchecked_Access;
      U      : Union_Like := (Which => False, I => 55);
      Bm     : Bit_Matrix := ((True, False, True, False), (False, True, False, True));
      Ws     : Wide_Wide_String := "wwide";
      Wc     : Wide_Character := 'w';
      Dyn    : array (1 .. Size) of Integer := (others => 4);
      Dstr   : String (3 .. 2 + Size) := (others => 'z');
      Neg    : Any_Str (-2 .. 1) := "nega";
      No     : String (5 .. 4) := "";
      U8     : Unsigned_8 := 250;
      U16    : Unsigned_16 := 65_000;
      I64    : Integer_64 := -9_007_199_254_740_993;
      Cc     : Interfaces.C.char := Interfaces.C.char'Val (88);
      Ci     : Interfaces.C.int := Interfaces.C.int'Val (-3);
      Bufs   : array (1 .. 2) of Buffer := ((1, True, 1, "q", 8), (2, False, 2, "rs"));
      Mut    : Buffer := (4, True, 3, "mute", 6);
      Nest   : Nested (1, 5);
      Du     : Duration := 1.5;
      Sub    : String renames Open (Open'First + 1 .. Open'First + 2);
      Flag   : Boolean := False;

      procedure Up (K : Integer) is
         Own : array (Weekday) of Character := ('m', 't', 'w', 't', 'f');
         Local_Str : String := Open & "!";
      begin
         Num := Num + K + Global_Count;
         Vec.Append (7);
         Vec.Append (8);
         Put_Line (Own (Day) & Local_Str & Num'Image & W'Image & Length (Us)'Image);
         Flush;
         if Raise_Signal (3) /= 0 then
            return;
         end if;
         Put_Line (Own (Thu)'Image);
      end Up;
   begin
      Nest.Tail := "tails";
      Nest.Inner := ((1, 2, 3), (4, 5, 6));
      Nest.Many := (1, 2, 3);
      D.Name := "rex ";
      D.Legs := 3;
      P.Age := 1;
      Flag := B.Fill;
      Up (4);
      Put_Line (An.Name & Open & G (1, 1)'Image & N.Tail & Cs (Mon)'Image & Day'Image & Mid'Image & S1'Image & S2'Image & Nib'Image
        & M10'Image & Nibs (1)'Image & T (1)'Image & Bi'Image & Br.A'Image & De'Image & Fx'Image & Th'Image & Sp'Image & Fl'Image);
      Put_Line (Dbl'Image & Ldbl'Image & Rs (1) & Tr.all & Boolean'Image (Tn = null) & Ch ('a')'Image & Sh (1).K'Image & D.Name & P.Name
        & R.Name & Gd.Count'Image & Boolean'Image (Sec = Hidden) & Who.Left.Name & Ir.all'Image & Bm (1, 1)'Image & Ws'Image);
      Put_Line (Wc'Image & Dyn (1)'Image & Dstr & Neg (0) & No & U8'Image & U16'Image & I64'Image & Ci'Image & Cc'Image & Bufs (1).Size'Image
        & Mut.Data & Du'Image & Sub & Flag'Image );
   end Show;
   B : Buffer := (5, True, 4, "hello", 10);
   Pup : Puppy;
begin
   Pup.Name := "pup ";
   Show (Pup, "open text", ((1, 2), (3, 4), (5, 6)), (L => 2, H => 4, Inner => ((1, 2, 3), (4, 5, 6)), Part => (2, False, 1, "zz"), Many => (1, 2, 3), Tail => "end"),
     (Wed => 5, Thu => 6), B, 3);
end Kinds;
