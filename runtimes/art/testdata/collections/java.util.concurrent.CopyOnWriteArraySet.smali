.class public Ljava/util/concurrent/CopyOnWriteArraySet;
.super Ljava/lang/Object;
.field public al:Ljava/lang/Object;
