.class public final Lcalls/Sub;
.super Lcalls/Base;
.source "Sub.java"
.implements Lcalls/Shape;

.method public constructor <init>(I)V
 .locals 0
 .line 4
 invoke-direct {p0, p1}, Lcalls/Base;-><init>(I)V
 .line 5
 return-void
.end method

.method public grow(I)I
 .locals 1
 .line 9
 invoke-static {p0, p1}, Lcalls/Shape;->unit(Lcalls/Shape;I)I
 move-result v0
 return v0
.end method

.method public area(I)I
 .locals 1
 .line 13
 invoke-virtual {p0, p1}, Lcalls/Sub;->step(I)I
 move-result v0
 return v0
.end method

.method public step(I)I
 .locals 1
 .line 17
 invoke-super {p0, p1}, Lcalls/Base;->step(I)I
 move-result v0
 return v0
.end method
