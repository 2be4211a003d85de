# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/concurrent/ConcurrentHashMap$Node;
.super Ljava/lang/Object;
.source "ConcurrentHashMap.java"
.field public hash:I
.field public key:Ljava/lang/Object;
.field public val:Ljava/lang/Object;
.field public next:Ljava/util/concurrent/ConcurrentHashMap$Node;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
