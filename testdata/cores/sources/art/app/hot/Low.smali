.class public Lhot/Low;
.super Ljava/lang/Object;
.source "Low.java"

.method public static low(II)I
 .locals 2
 .param p0, "n"
 .param p1, "three"
 .line 15
 add-int/lit8 v0, p0, 0x15
 .local v0, "mine":I
 .line 17
 invoke-static {p0, p1}, Lhot/Bottom;->bottom(II)I
 move-result v1
 .line 18
 add-int/2addr v1, v0
 return v1
.end method
