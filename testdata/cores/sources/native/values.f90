! Variables of Fortran, whose types have lengths and bounds as data. It writes down what they hold
! and aborts.
module shapes
  implicit none
  type point
    real(8) :: x, y
    integer :: tag
  end type
  type, extends(point) :: named
    character(len=10) :: label
    real, allocatable :: w(:)
  end type
  real(8) :: grid(3, 3) = 0
  integer :: cube(2, 2, 2) = reshape([1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2])
  integer, allocatable :: idx(:), never(:)
  integer, pointer :: every(:) => null(), nowhere(:) => null()
  integer, target :: base(10) = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  character(len=7) :: title = 'laplace'
  character(len=3) :: days(2) = ['mon', 'tue']
  logical :: flag = .true., off = .false.
  logical(1) :: small_flag = .true.
  complex(8) :: z = (1d0, -2d0)
  type(point) :: pts(2)
  type(named) :: who
  integer(8) :: low(-2:2) = [10_8, 20_8, 30_8, 40_8, 50_8]
  integer(1) :: byte = -7
  integer(2) :: short = -3000
  integer(8) :: wide = 9007199254740993_8
  real(4) :: single = 0.5
contains
  subroutine say(function, name, value)
    character(len=*), intent(in) :: function, name, value
    write (*, '(5a)') function, char(9), name, char(9), value
  end subroutine

  subroutine globals()
    call say('-', 'grid', '[[0,0,0],[0,0,0],[0,7.25,0]]')
    call say('-', 'grid[3][2]', '7.25')
    call say('-', 'cube', '[[[1,2],[3,4]],[[5,6],[7,8]]]')
    call say('-', 'idx', '[10,20,30,40,50]')
    call say('-', 'idx[1]', '10')
    call say('-', 'never', 'null')
    call say('-', 'every', '[2,4,6,8]')
    call say('-', 'every[4]', '8')
    call say('-', 'nowhere', 'null')
    call say('-', 'base', '[1,2,3,4,5,6,7,8,9,10]')
    call say('-', 'title', '"laplace"')
    call say('-', 'days', '["mon","tue"]')
    call say('-', 'flag', 'true')
    call say('-', 'off', 'false')
    call say('-', 'small_flag', 'true')
    call say('-', 'pts', '[{"x":1,"y":2,"tag":3},{"x":4,"y":5,"tag":6}]')
    call say('-', 'pts[2].y', '5')
    call say('-', 'who', '{"point":{"x":9,"y":8,"tag":7},"label":"someone   ","w":[1.5,2.5]}')
    call say('-', 'who.w[2]', '2.5')
    call say('-', 'low', '[10,20,30,40,50]')
    call say('-', 'low[-2]', '10')
    call say('-', 'byte', '-7')
    call say('-', 'short', '-3000')
    call say('-', 'wide', '9007199254740993')
    call say('-', 'single', '0.5')
  end subroutine

  subroutine solve(a, k, s, q, column, words)
    real(8), intent(inout) :: a(:, :)
    integer, intent(in) :: k
    character(len=*), intent(in) :: s
    integer, intent(in) :: q(k)
    real(8), intent(in) :: column(:)
    character(len=*), intent(in) :: words(:)
    integer, allocatable :: loc(:, :)
    character(len=5) :: pair(2)
    character(len=k) :: automatic
    real(8) :: work(0:k)
    integer :: i
    pair = ['hello', 'world']
    allocate (loc(2, 0:1))
    loc = reshape([1, 2, 3, 4], [2, 2])
    a(2, 3) = 7.25d0
    automatic = 'auto'
    do i = 0, k
      work(i) = i * 0.5d0
    end do
    call globals()
    call say('solve', 'a', '[[0,0,0],[0,0,0],[0,7.25,0]]')
    call say('solve', 'k', '4')
    call say('solve', 's', '"arg text"')
    call say('solve', 'column', '[0,7.25,0]')
    call say('solve', 'loc', '[[1,2],[3,4]]')
    call say('solve', 'pair', '["hello","world"]')
    call say('solve', 'automatic', '"auto"')
    call say('solve', 'work', '[0,0.5,1,1.5,2]')
    call say('solve', 'i', '5')
    flush (6)
    call abort()
  end subroutine
end module

program values
  use shapes
  implicit none
  allocate (idx(5))
  idx = [10, 20, 30, 40, 50]
  every => base(2:8:2)
  pts(1) = point(1d0, 2d0, 3)
  pts(2) = point(4d0, 5d0, 6)
  who%x = 9
  who%y = 8
  who%tag = 7
  who%label = 'someone'
  allocate (who%w(2))
  who%w = [1.5, 2.5]
  grid(2, 3) = 7.25d0
  call solve(grid, 4, 'arg text', base, grid(:, 3), days)
end program
