.class public Lgraph/Leaf;
.super Lgraph/Mid;
.source "Leaf.java"
.field public y:I
.field public z:Ljava/lang/Object;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Lgraph/Mid;-><init>()V
 return-void
.end method
