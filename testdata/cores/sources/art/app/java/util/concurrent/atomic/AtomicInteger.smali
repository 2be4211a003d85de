# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/concurrent/atomic/AtomicInteger;
.super Ljava/lang/Object;
.source "AtomicInteger.java"
.field public value:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
