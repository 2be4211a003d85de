.class public Ljava/util/LinkedList$Node;
.super Ljava/lang/Object;
.field public item:Ljava/lang/Object;
.field public next:Ljava/lang/Object;
.field public prev:Ljava/lang/Object;
