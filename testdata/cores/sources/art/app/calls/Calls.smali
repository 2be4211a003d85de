# Every kind of call on one stack: see Base, Sub, Shape, Lazy, Bare.
.class public Lcalls/Calls;
.super Ljava/lang/Object;
.source "Calls.java"
.implements Ljava/lang/Runnable;

.method public static native crash(I)V
.end method
.method public static native viaNative(I)I
.end method
.method public static native viaTwo(I)I
.end method
.method public static synchronized native parkLocked()V
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
 new-instance v0, Lcalls/Calls;
 invoke-direct {v0}, Lcalls/Calls;-><init>()V
 const-string v1, "locked-native"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 11
 const/16 v2, 0x64
 invoke-static {v2}, Llib/Start;->pause(I)V
 const-string v1, "locked-out"
 invoke-static {v0, v1}, Llib/Start;->thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 12
 invoke-static {v2}, Llib/Start;->pause(I)V
 .line 13
 const/4 v2, 0x3
 invoke-static {v2}, Lcalls/Calls;->viaTwo(I)I
 .line 14
 return-void
.end method

# two threads are here: one has the class' lock, one wants it
.method public run()V
 .locals 0
 .line 20
 invoke-static {}, Lcalls/Calls;->parkLocked()V
 .line 21
 return-void
.end method

# Java, native, native, Java, native, Java
.method public static callback(I)I
 .locals 3
 .line 30
 const/4 v0, 0x1
 if-le p0, v0, :bottom
 .line 31
 add-int/lit8 v0, p0, -0x1
 invoke-static {v0}, Lcalls/Calls;->viaNative(I)I
 move-result v0
 return v0
 :bottom
 .line 33
 new-instance v1, Lcalls/Sub;
 const/16 v2, 0x2a
 invoke-direct {v1, v2}, Lcalls/Sub;-><init>(I)V
 .line 34
 return p0
.end method

.method public static locked(I)I
 .locals 12
 .line 40
 const-class v0, Lcalls/Lock;
 monitor-enter v0
 :start
 .line 41
 const/4 v1, 0x1
 const-wide v2, 0x1122334455667788L
 const-wide v4, 0x4004000000000000L # 2.5
 const-string v6, "s"
 const/4 v7, 0x0
 const-wide/16 v8, -0x1
 invoke-static/range {v1 .. v9}, Lcalls/Calls;->wide(IJDLjava/lang/String;Ljava/lang/Object;J)I
 move-result v1
 .line 42
 monitor-exit v0
 :end
 return v1
 .catchall {:start .. :end} :h
 :h
 move-exception v1
 monitor-exit v0
 throw v1
.end method

.method public static varargs wide(IJDLjava/lang/String;Ljava/lang/Object;J)I
 .locals 1
 .line 50
 sget v0, Lcalls/Lazy;->value:I
 .line 51
 return v0
.end method
