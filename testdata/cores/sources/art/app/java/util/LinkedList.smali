# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/LinkedList;
.super Ljava/lang/Object;
.source "LinkedList.java"
.field public size:I
.field public first:Ljava/util/LinkedList$Node;
.field public last:Ljava/util/LinkedList$Node;

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
