.class public interface abstract Lproxy/Greeter;
.super Ljava/lang/Object;
.source "Greeter.java"

.method public abstract greet()I
.end method
