# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/LinkedList$Node;
.super Ljava/lang/Object;
.source "LinkedList.java"
.field public item:Ljava/lang/Object;
.field public next:Ljava/util/LinkedList$Node;
.field public prev:Ljava/util/LinkedList$Node;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
