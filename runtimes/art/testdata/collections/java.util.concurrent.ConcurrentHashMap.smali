.class public Ljava/util/concurrent/ConcurrentHashMap;
.super Ljava/lang/Object;
.field public table:[Ljava/lang/Object;
