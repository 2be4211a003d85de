.class public Ljava/util/HashMap$Node;
.super Ljava/lang/Object;
.field public hash:I
.field public key:Ljava/lang/Object;
.field public next:Ljava/lang/Object;
.field public value:Ljava/lang/Object;
