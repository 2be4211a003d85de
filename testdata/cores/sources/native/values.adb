--  Variables of Ada: bounds, discriminants, variants, ranges and fixed-point numbers. It writes
--  down what they hold and raises a signal.
with Ada.Text_IO; use Ada.Text_IO;
with Ada.Characters.Latin_1;
procedure Values is
   type Color is (Red, Green, Blue);
   type Ints is array (Integer range <>) of Integer;
   type Matrix is array (1 .. 2, 0 .. 2) of Integer;
   type By_Color is array (Color) of Boolean;
   type Bits is array (1 .. 10) of Boolean with Pack;
   type Order (N : Positive) is record
      Id    : Integer;
      Tint  : Color;
      Items : Ints (1 .. N);
   end record;
   type Kind_Type is (Circle, Square);
   type Shape (Kind : Kind_Type := Circle) is record
      Name : String (1 .. 3);
      case Kind is
         when Circle => Radius : Float;
         when Square => Side : Integer; Tag : Character;
      end case;
   end record;
   type Node;
   type Link is access Node;
   type Node is record
      Value : Integer;
      Next  : Link;
   end record;
   type Ints_Ref is access all Ints;
   type Money is delta 0.01 digits 10;
   type Angle is delta 0.125 range -200.0 .. 200.0;
   subtype Small is Integer range 1 .. 100;
   type Byte is mod 256;

   --  SIGQUIT ends the process. The runtime makes exceptions of most other signals.
   function Raise_Signal (Number : Integer) return Integer with Import, Convention => C, External_Name => "raise";

   procedure Say (Func, Name, Value : String) is
      Tab : constant Character := Ada.Characters.Latin_1.HT;
   begin
      Put_Line (Func & Tab & Name & Tab & Value);
   end Say;

   procedure Ship (O : Order; S : String; K : Small; C, D : Shape) is
      Local : Ints (5 .. 5 + K);
      M     : Matrix := ((1, 2, 3), (4, 5, 6));
      P     : Ints_Ref := new Ints'(7, 8, 9);
      None  : Ints_Ref;
      Price : Money := 12.34;
      Turn  : Angle := -3.5;
      Flags : By_Color := (True, False, True);
      Packed : Bits := (1 | 3 | 10 => True, others => False);
      Empty : Ints (1 .. 0);
      Yes   : Boolean := True;
      Ch    : Character := 'q';
      Wide  : Wide_String := "wide";
      Tint  : Color := Blue;
      B     : Byte := 200;
      F     : Float := 0.25;
      L     : Long_Long_Integer := 9_007_199_254_740_993;
      List  : Link := new Node'(1, new Node'(2, null));
   begin
      for I in Local'Range loop
         Local (I) := I * 10;
      end loop;
      Say ("values.ship", "o", "{""n"":3,""id"":1007,""tint"":""blue"",""items"":[10,20,30]}");
      Say ("values.ship", "s", """hello""");
      Say ("values.ship", "k", "3");
      Say ("values.ship", "c", "{""kind"":""square"",""name"":""sq1"",""side"":7,""tag"":120}");
      Say ("values.ship", "d", "{""kind"":""circle"",""name"":""ci1"",""radius"":2.5}");
      Say ("values.ship", "local", "[50,60,70,80]");
      Say ("values.ship", "m", "[[1,2,3],[4,5,6]]");
      Say ("values.ship", "p", "[7,8,9]");
      Say ("values.ship", "none", "null");
      Say ("values.ship", "price", "12.34");
      Say ("values.ship", "turn", "-3.5");
      Say ("values.ship", "flags", "[true,false,true]");
      Say ("values.ship", "packed", "[true,false,true,false,false,false,false,false,false,true]");
      Say ("values.ship", "empty", "[]");
      Say ("values.ship", "yes", "true");
      Say ("values.ship", "ch", "113");
      Say ("values.ship", "wide", """wide""");
      Say ("values.ship", "tint", """blue""");
      Say ("values.ship", "b", "200");
      Say ("values.ship", "f", "0.25");
      Say ("values.ship", "l", "9007199254740993");
      Flush;
      if Yes and then Raise_Signal (3) /= 0 then
         return;
      end if;
      Put_Line (P (P'First)'Image & Price'Image & Turn'Image & Flags (Red)'Image & Packed (1)'Image & Ch & Tint'Image
                & B'Image & F'Image & L'Image & List.Value'Image & Empty'Length'Image & Wide'Length'Image & M (1, 1)'Image
                & Boolean'Image (None = null));
   end Ship;

   O : Order := (N => 3, Id => 1007, Tint => Blue, Items => (10, 20, 30));
begin
   Ship (O, "hello", 3, (Square, "sq1", 7, 'x'), (Circle, "ci1", 2.5));
end Values;
