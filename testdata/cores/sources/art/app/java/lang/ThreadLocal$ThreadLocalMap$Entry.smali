# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/lang/ThreadLocal$ThreadLocalMap$Entry;
.super Ljava/lang/ref/WeakReference;
.source "ThreadLocal.java"
.field public value:Ljava/lang/Object;

.method public constructor <init>(Ljava/lang/Object;)V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/ref/WeakReference;-><init>()V
 iput-object p1, p0, Ljava/lang/ref/WeakReference;->referent:Ljava/lang/Object;
 return-void
.end method
