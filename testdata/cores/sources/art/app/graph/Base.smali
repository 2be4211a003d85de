.class public Lgraph/Base;
.super Ljava/lang/Object;
.source "Base.java"
.field public owner:Lgraph/Node;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
