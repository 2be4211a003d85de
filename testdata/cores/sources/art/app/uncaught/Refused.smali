.class public Luncaught/Refused;
.super Ljava/lang/RuntimeException;
.source "Refused.java"

.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .locals 0
 .line 3
 invoke-direct {p0, p1, p2}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 return-void
.end method
