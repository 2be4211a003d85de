.class public interface abstract Lcalls/Shape;
.super Ljava/lang/Object;
.source "Shape.java"

.method public abstract area(I)I
.end method

# a default method
.method public describe(I)I
 .locals 1
 .line 8
 invoke-interface {p0, p1}, Lcalls/Shape;->area(I)I
 move-result v0
 .line 9
 return v0
.end method

# a static method of an interface
.method public static unit(Lcalls/Shape;I)I
 .locals 1
 .line 14
 invoke-interface {p0, p1}, Lcalls/Shape;->describe(I)I
 move-result v0
 return v0
.end method
