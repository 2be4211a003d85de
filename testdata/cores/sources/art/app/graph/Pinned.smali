.class public Lgraph/Pinned;
.super Ljava/lang/Object;
.source "Pinned.java"
.field public n:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
