# A call through a class that the runtime made, which has no dex file.
.class public Lproxy/Proxy;
.super Ljava/lang/Object;
.source "Proxy.java"
.implements Ljava/lang/reflect/InvocationHandler;
.field public static made:Ljava/lang/Object;

.method public static native crash(I)V
.end method
.method public static native allocate(Ljava/lang/Class;)Ljava/lang/Object;
.end method

.method public constructor <init>()V
 .locals 0
 .line 3
 invoke-direct {p0}, Ljava/lang/Object;-><init>()V
 return-void
.end method

.method public static main(I)V
 .locals 9
 .line 10
 const-string v0, "$Proxy0"
 const/4 v6, 0x1
 const/4 v7, 0x0
 new-array v1, v6, [Ljava/lang/Class;
 const-class v5, Lproxy/Greeter;
 aput-object v5, v1, v7
 .line 12
 const-string v4, "greet"
 new-array v8, v7, [Ljava/lang/Class;
 invoke-virtual {v5, v4, v8}, Ljava/lang/Class;->getDeclaredMethodInternal(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
 move-result-object v5
 new-array v3, v6, [Ljava/lang/reflect/Method;
 aput-object v5, v3, v7
 .line 14
 new-array v4, v6, [[Ljava/lang/Class;
 aput-object v8, v4, v7
 const/4 v2, 0x0
 invoke-static/range {v0 .. v4}, Ljava/lang/reflect/Proxy;->generateProxy(Ljava/lang/String;[Ljava/lang/Class;Ljava/lang/ClassLoader;[Ljava/lang/reflect/Method;[[Ljava/lang/Class;)Ljava/lang/Class;
 move-result-object v0
 .line 16
 invoke-static {v0}, Lproxy/Proxy;->allocate(Ljava/lang/Class;)Ljava/lang/Object;
 move-result-object v0
 sput-object v0, Lproxy/Proxy;->made:Ljava/lang/Object;
 check-cast v0, Ljava/lang/reflect/Proxy;
 new-instance v1, Lproxy/Proxy;
 invoke-direct {v1}, Lproxy/Proxy;-><init>()V
 iput-object v1, v0, Ljava/lang/reflect/Proxy;->h:Ljava/lang/reflect/InvocationHandler;
 .line 20
 invoke-static {v0}, Lproxy/Proxy;->call(Ljava/lang/Object;)I
 .line 21
 return-void
.end method

.method public static call(Ljava/lang/Object;)I
 .locals 1
 .line 25
 check-cast p0, Lproxy/Greeter;
 invoke-interface {p0}, Lproxy/Greeter;->greet()I
 move-result v0
 .line 26
 return v0
.end method

.method public invoke(Ljava/lang/Object;Ljava/lang/reflect/Method;[Ljava/lang/Object;)Ljava/lang/Object;
 .locals 1
 .line 30
 const/4 v0, 0x2
 invoke-static {v0}, Lproxy/Proxy;->crash(I)V
 .line 31
 const/4 v0, 0x0
 return-object v0
.end method
