.class public Lgraph/Last;
.super Ljava/lang/Object;
.source "Last.java"

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method protected finalize()V
 .locals 0
 .line 3
 return-void
.end method
