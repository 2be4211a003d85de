.class public Lgraph/Mid;
.super Lgraph/Base;
.source "Mid.java"
.field public x:J

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Lgraph/Base;-><init>()V
 return-void
.end method
