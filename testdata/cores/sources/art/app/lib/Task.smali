.class public abstract Llib/Task;
.super Ljava/lang/Object;
.source "Task.java"
.field public hook:Ljava/lang/Runnable;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public abstract work()V
.end method
