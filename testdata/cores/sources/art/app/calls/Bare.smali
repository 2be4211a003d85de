# No source file, no lines, and two methods of one name.
.class public Lcalls/Bare;
.super Ljava/lang/Object;

.method public static run(I)I
 .locals 2
 const-wide/16 v0, 0x7
 invoke-static {v0, v1}, Lcalls/Bare;->run(J)I
 move-result v0
 return v0
.end method

.method public static run(J)I
 .locals 1
 const/4 v0, 0x7
 invoke-static {v0}, Lcalls/Calls;->crash(I)V
 return v0
.end method
