.class public Lthrowing/Oops;
.super Ljava/lang/RuntimeException;
.source "Oops.java"
.field public code:I

.method public constructor <init>(Ljava/lang/String;Ljava/lang/Throwable;I)V
 .locals 0
 .line 6
 invoke-direct {p0, p1, p2}, Ljava/lang/RuntimeException;-><init>(Ljava/lang/String;Ljava/lang/Throwable;)V
 .line 7
 iput p3, p0, Lthrowing/Oops;->code:I
 return-void
.end method
