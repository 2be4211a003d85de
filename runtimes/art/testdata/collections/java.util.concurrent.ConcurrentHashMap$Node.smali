.class public Ljava/util/concurrent/ConcurrentHashMap$Node;
.super Ljava/lang/Object;
.field public hash:I
.field public key:Ljava/lang/Object;
.field public next:Ljava/lang/Object;
.field public val:Ljava/lang/Object;
