# Keeps its cause in a field of its own, as InvocationTargetException did before Java 12.
.class public Lcauses/Wrapped;
.super Ljava/lang/RuntimeException;
.source "Wrapped.java"
.field public target:Ljava/lang/Throwable;

.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .locals 0
 .line 5
 invoke-direct {p0, p1}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/String;)V
 .line 6
 iput-object p2, p0, Lcauses/Wrapped;->target:Ljava/lang/Throwable;
 return-void
.end method

.method public getCause()Ljava/lang/Throwable;
 .locals 1
 .line 10
 iget-object v0, p0, Lcauses/Wrapped;->target:Ljava/lang/Throwable;
 return-object v0
.end method
