# The fields that Android's libcore gives it, and nothing else.
.class public Ljava/util/ArrayList;
.super Ljava/lang/Object;
.source "ArrayList.java"
.implements Ljava/util/List;
.field public elementData:[Ljava/lang/Object;
.field public size:I

.method public constructor <init>()V
 .locals 0
 .line 1
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method
