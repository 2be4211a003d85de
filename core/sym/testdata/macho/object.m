// Methods of Objective-C.
__attribute__((objc_root_class)) @interface Shape
- (int)areaOf:(int)width with:(int)height;
+ (int)shared;
@end
@implementation Shape
- (int)areaOf:(int)width with:(int)height {
  return width * height;
}
+ (int)shared {
  return 7;
}
@end
