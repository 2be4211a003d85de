.class public Llib/Start;
.super Ljava/lang/Object;
.source "Start.java"

.method public static thread(Ljava/lang/Runnable;Ljava/lang/String;)V
 .locals 1
 .line 5
 new-instance v0, Ljava/lang/Thread;
 invoke-direct {v0, p0, p1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
 .line 6
 invoke-virtual {v0}, Ljava/lang/Thread;->start()V
 return-void
.end method

# pause(millis)
.method public static pause(I)V
 .locals 2
 .line 10
 int-to-long v0, p0
 invoke-static {v0, v1}, Ljava/lang/Thread;->sleep(J)V
 .line 11
 return-void
.end method

# until(flags): returns when every element is true
.method public static until([Z)V
 .locals 4
 .line 15
 array-length v0, p0
 :again
 const/4 v1, 0x0
 :next
 if-ge v1, v0, :done
 aget-boolean v2, p0, v1
 if-nez v2, :one
 .line 17
 const/4 v3, 0x5
 invoke-static {v3}, Llib/Start;->pause(I)V
 goto :again
 :one
 add-int/lit8 v1, v1, 0x1
 goto :next
 :done
 .line 20
 return-void
.end method
