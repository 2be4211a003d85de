# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/lang/ThreadLocal$ThreadLocalMap;
.super Ljava/lang/Object;
.source "ThreadLocal.java"
.field public table:[Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;
.field public size:I
.field public threshold:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
