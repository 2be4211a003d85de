# Locals, fields, statics and collections with known values: truth.json has them.
.class public Lvalues/Values;
.super Ljava/lang/Object;
.source "Values.java"
.field public static sZ:Z
.field public static sB:B
.field public static sC:C
.field public static sS:S
.field public static sI:I
.field public static sJ:J
.field public static sF:F
.field public static sD:D
.field public static sText:Ljava/lang/String;
.field public static sBox:Lvalues/Box;
.field public static sNull:Ljava/lang/Object;
.field public static sList:Ljava/lang/Object;
.field public static sMap:Ljava/lang/Object;

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 8
 .line 10
 const/4 v0, 0x1
 sput-boolean v0, Lvalues/Values;->sZ:Z
 const/4 v0, -0x5
 sput-byte v0, Lvalues/Values;->sB:B
 const/16 v0, 0x4e2d
 sput-char v0, Lvalues/Values;->sC:C
 const/16 v0, -0x7530
 sput-short v0, Lvalues/Values;->sS:S
 const v0, -0x75bcd15
 sput v0, Lvalues/Values;->sI:I
 const-wide v0, -0x112210f47de98115L
 sput-wide v0, Lvalues/Values;->sJ:J
 const/high16 v0, 0x3fc00000
 sput v0, Lvalues/Values;->sF:F
 const-wide v0, -0x3f3f800000000000L
 sput-wide v0, Lvalues/Values;->sD:D
 .line 12
 const-string v0, "a static string"
 sput-object v0, Lvalues/Values;->sText:Ljava/lang/String;
 .line 13
 new-instance v2, Lvalues/Box;
 invoke-direct {v2}, Lvalues/Box;-><init>()V
 sput-object v2, Lvalues/Values;->sBox:Lvalues/Box;
 const/4 v0, 0x1
 iput-boolean v0, v2, Lvalues/Box;->z:Z
 const/4 v0, -0x5
 iput-byte v0, v2, Lvalues/Box;->b:B
 const/16 v0, 0x4e2d
 iput-char v0, v2, Lvalues/Box;->c:C
 const/16 v0, -0x7530
 iput-short v0, v2, Lvalues/Box;->s:S
 const v0, -0x75bcd15
 iput v0, v2, Lvalues/Box;->i:I
 const-wide v0, -0x112210f47de98115L
 iput-wide v0, v2, Lvalues/Box;->j:J
 const/high16 v0, 0x3fc00000
 iput v0, v2, Lvalues/Box;->f:F
 const-wide v0, -0x3f3f800000000000L
 iput-wide v0, v2, Lvalues/Box;->d:D
 const/16 v0, 0x63
 iput v0, v2, Lvalues/Base;->i:I
 const-wide/16 v0, 0x3
 iput-wide v0, v2, Lvalues/Base;->first:J
 const-string v0, "of Base"
 iput-object v0, v2, Lvalues/Base;->text:Ljava/lang/String;
 const-string v0, "of Box"
 iput-object v0, v2, Lvalues/Box;->text:Ljava/lang/String;
 iput-object v2, v2, Lvalues/Box;->next:Lvalues/Box;
 .line 20
 invoke-static {v2}, Lvalues/Values;->numbers(Lvalues/Box;)V
 .line 21
 return-void
.end method

.method public static numbers(Lvalues/Box;)V
 .locals 13
 .param p0, "box"
 .line 30
 const/4 v0, 0x1
 .local v0, "z":Z
 const/4 v1, -0x5
 .local v1, "b":B
 const/16 v2, 0x4e2d
 .local v2, "c":C
 const/16 v3, -0x7530
 .local v3, "s":S
 const v4, -0x75bcd15
 .local v4, "i":I
 const-wide v5, -0x112210f47de98115L
 .local v5, "j":J
 const/high16 v7, 0x3fc00000
 .local v7, "f":F
 const-wide v8, -0x3f3f800000000000L
 .local v8, "d":D
 const/4 v10, 0x0
 .local v10, "nothing":Ljava/lang/Object;
 .line 40
 const/16 v11, 0x7b
 .local v11, "gone":I
 .end local v11
 const-string v11, "reused"
 .local v11, "again":Ljava/lang/String;
 .line 41
 invoke-static {p0}, Lvalues/Values;->objects(Lvalues/Box;)V
 .end local v11
 .end local v0
 .end local v1
 .end local v2
 .end local v3
 .end local v4
 .end local v5
 .end local v7
 .end local v8
 .line 42
 return-void
.end method

.method public static objects(Lvalues/Box;)V
 .locals 16
 .param p0, "box"
 .line 50
 const-string v0, "plain ascii"
 .local v0, "latin":Ljava/lang/String;
 const-string v1, "h\u00e9llo \u2192 \u4e16\u754c \ud83d\ude00"
 .local v1, "utf16":Ljava/lang/String;
 const-string v2, ""
 .local v2, "empty":Ljava/lang/String;
 const-string v13, "tab\tquote\"nul\u0000end\u001b[31m"
 .local v13, "nasty":Ljava/lang/String;
 .line 55
 const/16 v14, 0x3
 new-array v3, v14, [Z
 fill-array-data v3, :bools
 .local v3, "bools":[Z
 const/16 v14, 0x3
 new-array v4, v14, [B
 fill-array-data v4, :bytes
 .local v4, "bytes":[B
 const/16 v14, 0x3
 new-array v5, v14, [C
 fill-array-data v5, :chars
 .local v5, "chars":[C
 const/16 v14, 0x2
 new-array v6, v14, [S
 fill-array-data v6, :shorts
 .local v6, "shorts":[S
 const/16 v14, 0x3
 new-array v7, v14, [I
 fill-array-data v7, :ints
 .local v7, "ints":[I
 const/16 v14, 0x2
 new-array v8, v14, [J
 fill-array-data v8, :longs
 .local v8, "longs":[J
 const/16 v14, 0x2
 new-array v9, v14, [F
 fill-array-data v9, :floats
 .local v9, "floats":[F
 const/16 v14, 0x2
 new-array v10, v14, [D
 fill-array-data v10, :doubles
 .local v10, "doubles":[D
 .line 60
 const/4 v14, 0x3
 new-array v11, v14, [Ljava/lang/String;
 const/4 v14, 0x0
 aput-object v0, v11, v14
 const/4 v14, 0x2
 aput-object v1, v11, v14
 .local v11, "texts":[Ljava/lang/String;
 .line 62
 const/4 v14, 0x2
 new-array v12, v14, [[I
 const/4 v14, 0x0
 aput-object v7, v12, v14
 const/4 v14, 0x1
 aput-object v7, v12, v14
 .local v12, "grid":[[I
 .line 65
 invoke-static/range {p0 .. p0}, Lvalues/Values;->boxes(Lvalues/Box;)V
 .line 66
 return-void
 :bools
 .array-data 1
  0x1t
  0x0t
  0x1t
 .end array-data
 :bytes
 .array-data 1
  -0x1t
  0x0t
  0x7ft
 .end array-data
 :chars
 .array-data 2
  0x41s
  0x4e2ds
  0x20s
 .end array-data
 :shorts
 .array-data 2
  -0x8000s
  0x5s
 .end array-data
 :ints
 .array-data 4
  0x1
  -0x2
  0x7fffffff
 .end array-data
 :longs
 .array-data 8
  0x1L
  -0x8000000000000000L
 .end array-data
 :floats
 .array-data 4
  0x3f000000
  0xc0500000
 .end array-data
 :doubles
 .array-data 8
  0x3fb999999999999aL
  0xfe37e43c8800759cL
 .end array-data
.end method

.method public static boxes(Lvalues/Box;)V
 .locals 12
 .param p0, "box"
 .line 70
 const/16 v0, 0x2a
 invoke-static {v0}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
 move-result-object v2
 .local v2, "boxedInteger":Ljava/lang/Integer;
 const-wide/32 v0, -0x7
 invoke-static {v0, v1}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
 move-result-object v3
 .local v3, "boxedLong":Ljava/lang/Long;
 const-wide/high16 v0, 0x4004000000000000L
 invoke-static {v0, v1}, Ljava/lang/Double;->valueOf(D)Ljava/lang/Double;
 move-result-object v4
 .local v4, "boxedDouble":Ljava/lang/Double;
 const/4 v0, 0x1
 invoke-static {v0}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
 move-result-object v5
 .local v5, "boxedBoolean":Ljava/lang/Boolean;
 const/16 v0, 0x51
 invoke-static {v0}, Ljava/lang/Character;->valueOf(C)Ljava/lang/Character;
 move-result-object v6
 .local v6, "boxedCharacter":Ljava/lang/Character;
 const/4 v0, -0x1
 invoke-static {v0}, Ljava/lang/Byte;->valueOf(B)Ljava/lang/Byte;
 move-result-object v7
 .local v7, "boxedByte":Ljava/lang/Byte;
 const/16 v0, 0x101
 invoke-static {v0}, Ljava/lang/Short;->valueOf(S)Ljava/lang/Short;
 move-result-object v8
 .local v8, "boxedShort":Ljava/lang/Short;
 const/high16 v0, 0x3f000000
 invoke-static {v0}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
 move-result-object v9
 .local v9, "boxedFloat":Ljava/lang/Float;
 .line 78
 const-class v10, Lvalues/Base;
 .local v10, "type":Ljava/lang/Class;
 .line 79
 invoke-static {p0}, Lvalues/Many;->collections(Lvalues/Box;)V
 .line 80
 return-void
.end method
