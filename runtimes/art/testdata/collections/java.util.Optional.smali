.class public Ljava/util/Optional;
.super Ljava/lang/Object;
.field public value:Ljava/lang/Object;
