.class public Lhot/Mid;
.super Ljava/lang/Object;
.source "Mid.java"

.method public static mid(II)I
 .locals 2
 .param p0, "n"
 .param p1, "three"
 .line 5
 add-int/lit8 v0, p0, 0x5
 .local v0, "mine":I
 .line 7
 invoke-static {p0, p1}, Lhot/Low;->low(II)I
 move-result v1
 .line 8
 add-int/2addr v1, v0
 return v1
.end method
