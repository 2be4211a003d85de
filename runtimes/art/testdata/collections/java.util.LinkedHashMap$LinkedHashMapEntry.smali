.class public Ljava/util/LinkedHashMap$LinkedHashMapEntry;
.super Ljava/util/HashMap$Node;
.field public after:Ljava/lang/Object;
.field public before:Ljava/lang/Object;
