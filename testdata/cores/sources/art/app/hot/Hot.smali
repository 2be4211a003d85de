# main(n) calls top n times, so that it is compiled, with mid, low and bottom inlined
# into it, each of another class. The last time ends in crash.
.class public Lhot/Hot;
.super Ljava/lang/Object;
.source "Hot.java"
.field public static limit:I
.field public static sum:J

.method public static native crash(I)V
.end method

.method public static main(I)V
 .locals 3
 .line 10
 add-int/lit8 v0, p0, -0x1
 sput v0, Lhot/Hot;->limit:I
 const/4 v0, 0x0
 :next
 if-ge v0, p0, :done
 .line 12
 const-string v1, "kept"
 invoke-static {v0, v1}, Lhot/Hot;->top(ILjava/lang/String;)I
 rem-int/lit16 v2, v0, 0x7d0
 if-nez v2, :on
 .line 14
 const/16 v2, 0x14
 invoke-static {v2}, Llib/Start;->pause(I)V
 :on
 add-int/lit8 v0, v0, 0x1
 goto :next
 :done
 .line 17
 return-void
.end method

.method public static top(ILjava/lang/String;)I
 .locals 4
 .param p0, "n"
 .param p1, "text"
 .line 20
 mul-int/lit8 v0, p0, 0x3
 .local v0, "three":I
 .line 21
 invoke-static {p0, v0}, Lhot/Mid;->mid(II)I
 move-result v1
 .line 22
 invoke-virtual {p1}, Ljava/lang/String;->length()I
 move-result v2
 add-int v1, v1, v2
 add-int v1, v1, v0
 .line 23
 return v1
.end method
