# Has its numbers outside the heap.
.class public Lnatives/Matrix;
.super Ljava/lang/Object;
.source "Matrix.java"

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
