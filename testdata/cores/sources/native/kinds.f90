! Values of all shapes of Fortran. kinds-f90.values says what each holds. It aborts.
module kinds
  use iso_c_binding
  use iso_fortran_env
  implicit none
  enum, bind(c)
    enumerator :: east = 1, south, west = 7
  end enum
  type, abstract :: figure
    integer :: id = 0
    character(len=:), allocatable :: label
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    function area_of(this) result(r)
      import figure
      class(figure), intent(in) :: this
      real(8) :: r
    end function
  end interface
  type, extends(figure) :: circle
    real(8) :: radius = 1
  contains
    procedure :: area => circle_area
  end type
  type, extends(circle) :: ring
    real(8) :: hole = 0
    complex(4), allocatable :: marks(:)
  end type
  type :: node
    integer :: value = 0
    type(node), pointer :: next => null()
  end type
  type :: holder
    class(figure), allocatable :: item
  end type
  type :: inner
    integer :: grid(2, -1:0) = reshape([1, 2, 3, 4], [2, 2])
    logical :: used = .false.
  end type
  type :: outer
    type(inner) :: parts(2)
    type(inner), allocatable :: more(:)
    integer, pointer :: view(:, :) => null()
    character(len=4) :: code = 'code'
    procedure(plus), pointer, nopass :: op => null()
    type(c_ptr) :: raw = c_null_ptr
  end type
  integer, parameter :: limit = 12
  integer :: shared(3) = [7, 8, 9]
  common /block/ block_n, block_x(2)
  integer :: block_n
  real :: block_x
  character(len=:), allocatable :: message
  character(len=:), pointer :: alias => null()
  character(len=6), allocatable :: list(:)
  class(*), allocatable :: any_int, any_text
  class(figure), allocatable :: shape
  class(figure), pointer :: no_shape => null()
  type(holder) :: box(2)
  real(8), allocatable, target :: volume(:, :, :)
  integer(c_int), bind(c, name='c_counter') :: counter = 77
  type(outer), target :: whole
  integer, target :: table(4, 5)
contains
  function circle_area(this) result(r)
    class(circle), intent(in) :: this
    real(8) :: r
    r = 3 * this%radius ** 2
  end function
  integer function plus(a, b)
    integer, intent(in) :: a, b
    plus = a + b
  end function
  subroutine say(function, name, value)
    character(len=*), intent(in) :: function, name, value
    write (*, '(5a)') function, char(9), name, char(9), value
  end subroutine
  subroutine survey(n, m, adjust, size_open, shape2, back, corner, ranked, thing, base, opt, val, text, chars, pick)
    integer, intent(in) :: n, m
    real(4), intent(in) :: adjust(n, 0:m)
    integer, intent(in) :: size_open(2, *)
    integer, intent(in) :: shape2(-1:, :)
    integer, intent(in) :: back(:)
    integer, intent(in) :: corner(:, :)
    real(8), intent(in) :: ranked(..)
    class(*), intent(in) :: thing
    class(figure), intent(in) :: base
    integer, optional, intent(in) :: opt
    integer, value :: val
    character(len=*), intent(in) :: text
    character(len=1), intent(in) :: chars(:)
    integer(kind(east)), intent(in) :: pick
    integer(16) :: huge_int
    real(16) :: quad
    real(10) :: extended
    complex(4) :: z4
    complex(8) :: z8
    complex(16) :: z16
    logical(2) :: l2
    logical(8) :: l8
    logical :: flags(3)
    character :: letter
    character(kind=4, len=3) :: wide
    integer, allocatable :: scalar, unset
    integer, pointer :: direct, nothing
    type(node), pointer :: chain
    integer :: empty(0), late(3:1)
    integer :: cells(2, 3, 0:1)
    type(ring) :: band
    character(len=:), allocatable :: made, pieces(:)
    real(8), pointer :: slab(:, :)
    integer, pointer :: odd(:)
    type(inner), allocatable :: owned
    type(ring), allocatable :: bands(:)
    character(len=n) :: padded(2)
    procedure(plus), pointer :: call_me
    integer, save :: calls = 41
    complex(8), allocatable :: spectrum(:)
    integer(1) :: bytes(4)
    real(8) :: not_a_number, infinite
    integer :: i
    huge_int = 170141183460469231731687303715884105727_16
    quad = 1.25_16
    extended = -2.5_10
    z4 = (1.5, -0.25)
    z8 = (2d0, 3d0)
    z16 = (0.5_16, 4.0_16)
    l2 = .true.
    l8 = .false.
    flags = [.true., .false., .true.]
    letter = 'q'
    wide = 4_'abc'
    allocate (scalar, source=99)
    direct => table(2, 3)
    nothing => null()
    allocate (chain)
    chain%value = 1
    allocate (chain%next)
    chain%next%value = 2
    cells = reshape([(i, i=1, 12)], [2, 3, 2])
    band%id = 5
    band%label = 'ring five'
    band%radius = 2
    band%hole = 0.5
    band%marks = [(1.0, 2.0), (3.0, 4.0)]
    made = 'made of ' // text
    pieces = ['one  ', 'three']
    slab => volume(2, :, 3:1:-2)
    odd => table(4, 1:5:2)
    allocate (owned)
    owned%used = .true.
    allocate (bands(2))
    bands(2)%id = 22
    bands(2)%label = 'b2'
    padded = ['ab ', 'xyz']
    call_me => plus
    calls = calls + 1
    spectrum = [(1d0, 1d0), (2d0, -2d0)]
    bytes = [1_1, -1_1, 127_1, -127_1]
    infinite = huge(infinite)
    infinite = infinite * 10
    not_a_number = infinite - infinite
    call inside(3)
  contains
    subroutine inside(k)
      integer, intent(in) :: k
      integer :: own(k)
      character(len=2 * k) :: twice
      own = k + huge_int * 0
      twice = made(1:2)
      own(1) = calls
      block
        integer :: deep
        deep = own(1) + k
        write (*, *) deep, val
        flush (6)
        if (deep > 0) call abort()
      end block
      write (*, *) quad, extended, z4, z8, z16, l2, l8, flags, letter, scalar, direct, empty, late, cells, band%id, pieces, slab, &
        odd, own, twice, owned%used, bands%id, padded, bytes, spectrum, not_a_number, call_me(1, 2), &
        chain%value, infinite, adjust, back, corner, chars, pick, text
    end subroutine
  end subroutine
end module

program kinds_main
  use kinds
  implicit none
  integer :: i
  real(4) :: adjust(2, 0:2) = reshape([1., 2., 3., 4., 5., 6.], [2, 3])
  real(8) :: cube(2, 2, 2)
  table = reshape([(i, i=1, 20)], [4, 5])
  block_n = 3
  block_x = [0.5, 1.5]
  message = 'deferred'
  allocate (character(len=5) :: alias)
  alias = 'alias'
  allocate (list(2))
  list = ['first ', 'second']
  allocate (any_int, source=5)
  allocate (any_text, source='five')
  allocate (circle :: shape)
  shape%id = 3
  shape%label = 'round'
  allocate (ring :: box(1)%item)
  box(1)%item%id = 8
  allocate (volume(2, 0:2, 3))
  volume = reshape([(real(i, 8), i=1, 18)], [2, 3, 3])
  allocate (whole%more(1))
  whole%view => table(1:3:2, 2:3)
  whole%op => plus
  cube = reshape([(real(i, 8) / 2, i=1, 8)], [2, 2, 2])
  call survey(2, 2, adjust, table, table(1:2, 1:3), table(1, 5:1:-2), table(4:1:-3, 2:5:3), cube, 3.5, box(1)%item, &
    val=6, text='the text', chars=['a', 'b', 'c'], pick=west)
end program
