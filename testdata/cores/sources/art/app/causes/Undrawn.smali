.class public Lcauses/Undrawn;
.super Lcauses/Wrapped;
.source "Undrawn.java"

.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .locals 0
 .line 3
 invoke-direct {p0, p1, p2}, Lcauses/Wrapped;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 return-void
.end method
