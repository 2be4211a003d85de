.class public Ljava/util/TreeMap$TreeMapEntry;
.super Ljava/lang/Object;
.field public key:Ljava/lang/Object;
.field public left:Ljava/lang/Object;
.field public right:Ljava/lang/Object;
.field public value:Ljava/lang/Object;
