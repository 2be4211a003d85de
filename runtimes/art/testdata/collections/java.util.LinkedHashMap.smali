.class public Ljava/util/LinkedHashMap;
.super Ljava/util/HashMap;
.field public head:Ljava/lang/Object;
.field public tail:Ljava/lang/Object;
