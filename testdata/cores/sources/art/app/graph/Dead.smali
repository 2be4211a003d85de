.class public Lgraph/Dead;
.super Ljava/lang/Object;
.source "Dead.java"
.field public n:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
