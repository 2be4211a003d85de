# main dies in native code with an exception pending, whose cause was caught. The
# thread "catcher" has three of ART's own in its registers.
.class public Lthrowing/Throwing;
.super Ljava/lang/Object;
.source "Throwing.java"
.implements Ljava/lang/Runnable;
.field public static last:Ljava/lang/Throwable;

.method public static native pending(I)V
.end method
.method public static native describe(Ljava/lang/Throwable;)V
.end method
.method public static native parkNative()V
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 3
 .line 10
 new-instance v0, Lthrowing/Throwing;
 invoke-direct {v0}, Lthrowing/Throwing;-><init>()V
 const-string v1, "catcher"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 const/16 v2, 0xc8
 invoke-static {v2}, Llib/Start;->pause(I)V
 :start
 .line 12
 const/4 v2, 0x2
 invoke-static {v2}, Lthrowing/Throwing;->risky(I)I
 :end
 return-void
 .catch Lthrowing/Oops; {:start .. :end} :caught
 :caught
 move-exception v0
 .local v0, "e":Lthrowing/Oops;
 .line 14
 invoke-static {v0}, Lthrowing/Throwing;->describe(Ljava/lang/Throwable;)V
 .line 15
 sput-object v0, Lthrowing/Throwing;->last:Ljava/lang/Throwable;
 .line 16
 const/4 v2, 0x4
 invoke-static {v2}, Lthrowing/Throwing;->pending(I)V
 .end local v0
 .line 17
 return-void
.end method

.method public static risky(I)I
 .locals 4
 .line 20
 if-lez p0, :throw
 .line 21
 add-int/lit8 v0, p0, -0x1
 invoke-static {v0}, Lthrowing/Throwing;->risky(I)I
 move-result v0
 return v0
 :throw
 .line 23
 new-instance v0, Lthrowing/Oops;
 const-string v1, "caught and kept"
 const/4 v2, 0x0
 const/4 v3, 0x7
 invoke-direct {v0, v1, v2, v3}, Lthrowing/Oops;-><init>(Ljava/lang/String;Ljava/lang/Throwable;I)V
 .line 24
 throw v0
.end method

.method public static thrower(I)V
 .locals 4
 .line 30
 new-instance v0, Lthrowing/Oops;
 const-string v1, "still in flight"
 sget-object v2, Lthrowing/Throwing;->last:Ljava/lang/Throwable;
 const/16 v3, 0x2a
 invoke-direct {v0, v1, v2, v3}, Lthrowing/Oops;-><init>(Ljava/lang/String;Ljava/lang/Throwable;I)V
 .line 31
 invoke-static {v0}, Lthrowing/Throwing;->describe(Ljava/lang/Throwable;)V
 .line 32
 throw v0
.end method

.method public run()V
 .locals 6
 .line 40
 const/4 v4, 0x0
 const/4 v5, 0x0
 :a
 div-int v3, v4, v5
 :b
 .catch Ljava/lang/ArithmeticException; {:a .. :b} :divided
 return-void
 :divided
 move-exception v0
 .local v0, "zero":Ljava/lang/ArithmeticException;
 :c
 .line 42
 array-length v3, v5
 :d
 .catch Ljava/lang/NullPointerException; {:c .. :d} :null
 return-void
 :null
 move-exception v1
 .local v1, "nothing":Ljava/lang/NullPointerException;
 .line 44
 const/4 v3, 0x3
 new-array v4, v3, [I
 :e
 .line 45
 aget v3, v4, v3
 :f
 .catch Ljava/lang/ArrayIndexOutOfBoundsException; {:e .. :f} :outside
 return-void
 :outside
 move-exception v2
 .local v2, "outside":Ljava/lang/ArrayIndexOutOfBoundsException;
 .line 47
 invoke-static {v0}, Lthrowing/Throwing;->describe(Ljava/lang/Throwable;)V
 .line 48
 invoke-static {v1}, Lthrowing/Throwing;->describe(Ljava/lang/Throwable;)V
 .line 49
 invoke-static {v2}, Lthrowing/Throwing;->describe(Ljava/lang/Throwable;)V
 .line 50
 invoke-static {}, Lthrowing/Throwing;->parkNative()V
 .end local v0
 .end local v1
 .end local v2
 .line 51
 return-void
.end method
