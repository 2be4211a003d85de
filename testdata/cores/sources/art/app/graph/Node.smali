.class public Lgraph/Node;
.super Ljava/lang/Object;
.source "Node.java"
.field public next:Lgraph/Node;
.field public other:Ljava/lang/Object;
.field public id:J

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
