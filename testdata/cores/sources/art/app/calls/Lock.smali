.class public Lcalls/Lock;
.super Ljava/lang/Object;
.source "Lock.java"
