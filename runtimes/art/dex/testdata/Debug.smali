# Debug info of all kinds, tries of all kinds.
.class public Lsample/Debug;
.super Ljava/lang/Object;
.source "Debug.java"

.method public mixed(IJLjava/util/List;)I
    .registers 12
    .param p1, "count"
    .param p2, "long\u00e9"
    .prologue
    .line 100
    const/4 v0, 0x0
    .local v0, "sum":I
    .line 101
    const/4 v1, 0x1
    .local v1, "list":Ljava/util/List;, "Ljava/util/List<Ljava/lang/String;>;"
    .line 99
    add-int/2addr v0, p1
    .end local v1
    .line 3000
    :try_a
    invoke-static {v0}, Ljava/lang/Math;->abs(I)I
    move-result v0
    .restart local v1
    :try_b
    invoke-static {v0}, Ljava/lang/Math;->abs(I)I
    :try_end
    .catch Ljava/lang/ArithmeticException; {:try_a .. :try_b} :h1
    .catch Ljava/lang/RuntimeException; {:try_a .. :try_b} :h2
    .catchall {:try_a .. :try_b} :h3
    .catch Ljava/lang/Error; {:try_b .. :try_end} :h2
    .line 20
    return v0
    :h1
    .line 21
    .local v0, "e":Ljava/lang/ArithmeticException;
    move-exception v0
    .epilogue
    return p1
    :h2
    .line 22
    move-exception v0
    return p1
    :h3
    .line 23
    move-exception v0
    throw v0
.end method

.method private static bare(D)V
    .registers 2
    return-void
.end method

.method static params(DLjava/lang/Object;Z)V
    .registers 6
    .param p0, "d"
    .param p3, "z"
    .line 1
    nop
    .line 65536
    nop
    return-void
.end method

.method abstract none()V
.end method

.method native nat()V
.end method
